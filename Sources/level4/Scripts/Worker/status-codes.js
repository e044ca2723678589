'use strict';

// The statuses by the names that the old servers' scripts have for them.

const { STATUS_CODES } = require('http');

const statusCodes = {};
for (const code of Object.keys(STATUS_CODES)) {
  const name = STATUS_CODES[code].toUpperCase().replace(/['’]/g, '').replace(/[^A-Z]+/g, '_');
  statusCodes[name] = Number(code);
}
// Two that had other names: one by a slip that scripts took over, one that Node has renamed.
statusCodes.MOVED_PERMANANTLY = 301;
statusCodes.REQUEST_ENTITY_TOO_LARGE = 413;

module.exports = { statusCodes };
