// Devices are told of a new row, and the row is there whether they could be told or not.
var azureMobileApps = require('azure-mobile-apps'),
    promises = require('azure-mobile-apps/src/utilities/promises'),
    logger = require('azure-mobile-apps/src/logger');

var table = azureMobileApps.table();
table.columns = { text: 'string' };

table.insert(function (context) {
    logger.info('a new row is told of');
    var payload = { data: { message: context.item.text } };
    return context.execute().then(function (results) {
        if (context.push) {
            context.push.gcm.send(null, payload, function (error) {
                if (error) logger.error('could not be told', error);
                else logger.info('was told');
            });
        }
        return results;
    }).catch(function (error) {
        logger.error('could not be written', error);
        throw error;
    });
});

module.exports = table;
