// The attributes of a link's own item that the roles may write.
const { textFields } = require('../lib/links/link-fields.ts');

const editable = [...textFields, 'disabled', 'disabledBy'];

module.exports = {
  created: ['PK', 'SK', 'createdAt', 'clicks', 'owner', ...editable],
  updated: ['PK', 'SK', 'owner', ...editable],
  imported: ['PK', 'SK', 'createdAt', 'clicks', 'owner', ...editable, 'code', 'validation', 'ttl'],
};
