// As the portal made it: everything stands in files of the two folders.
var express = require('express');
var azureMobileApps = require('azure-mobile-apps');

var app = express();
var mobileApp = azureMobileApps({ homePage: true, swagger: true });

mobileApp.tables.import('./tables');
mobileApp.api.import('./api');

mobileApp.tables.initialize().then(function () {
    app.use(mobileApp);
    app.listen(process.env.PORT || 3000);
});
