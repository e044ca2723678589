exports.get = function (request, response) {
    var config = require('mobileservice-config');
    response.send(200, {
        mine: config.appSettings.MY_SETTING,
        service: request.service.config.appSettings.MY_SETTING,
        env: process.env.MY_SETTING
    });
};
