// The attributes of a link's own item that the roles may write.
const { textFields } = require('../lib/links/rules/link-fields.ts');

const editable = [...textFields, 'disabled', 'disabledBy'];

// A new link may replace what remains of a purged one.
const created = [
  'PK',
  'SK',
  'createdAt',
  'clicks',
  'owner',
  ...editable,
  'since',
  'purgedAt',
  'ttl',
];

module.exports = {
  updated: ['PK', 'SK', 'owner', ...editable],
  createdWithKey: [...created, 'code', 'validation', 'request'],
};
