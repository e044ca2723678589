Object.defineProperty(exports, '__esModule', { value: true });
const table = require('azure-mobile-apps').table();
table.access = 'authenticated';
exports.default = table;
