module.exports = function (request) {
    request.respond(statusCodes.ACCEPTED, {});
};
