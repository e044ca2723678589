var rules = require('../shared/rules.js');

function insert(item, user, request) {
    item.owner = rules.ownerOf(user);
    request.execute();
}

function read(query, user, request) {
    request.execute();
}
