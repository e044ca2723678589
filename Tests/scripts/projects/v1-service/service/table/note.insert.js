var rules = require('../shared/rules');
var accepted = 0; // Counts for this request alone: the old servers began anew with every one.

function insert(item, user, request) {
    var problem = rules.check(item);
    if (problem) {
        request.respond(statusCodes.BAD_REQUEST, problem);
        return;
    }
    accepted++;
    item.accepted = accepted;
    request.execute();
}
