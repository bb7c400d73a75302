// The attributes of a link's own item that the roles may write.
const { textFields } = require('../lib/links/rules/link-fields.ts');

const editable = [...textFields, 'disabled', 'disabledBy'];

// A new link may replace the tombstone of a purged one.
const created = [
  'PK',
  'SK',
  'version',
  'createdAt',
  'clicks',
  'owner',
  ...editable,
  'since',
  'purgedAt',
  'ttl',
];

module.exports = {
  updated: ['PK', 'SK', 'version', 'owner', ...editable, 'updatedAt'],
  createdWithKey: [...created, 'code', 'validation', 'request'],
};
