// Half of it stands in a shared script.
var check = require('../shared/check');

function insert(item, user, request) {
    check.email(item.email, function (error, email) {
        if (error) {
            request.respond(statusCodes.BAD_REQUEST, error.message);
        } else {
            item.email = email;
            request.execute();
        }
    });
}
