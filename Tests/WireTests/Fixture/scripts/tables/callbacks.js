// Promises made by hand around timers and callbacks.
var table = require('azure-mobile-apps').table();
var fs = require('fs');
table.columns = { text: 'string', lines: 'number' };

table.insert(function (context) {
    return new Promise(function (resolve, reject) {
        setTimeout(function () {
            fs.readFile(__filename, 'utf8', function (error, source) {
                if (error) return reject(error);
                context.item.lines = source.split('\n').length > 5 ? 1 : 0;
                context.execute().then(resolve, reject);
            });
        }, 5);
    });
});

module.exports = table;
