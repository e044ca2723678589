module.exports = require('azure-mobile-apps').table();
