function insert(item, user, request) {
    var azure = require('azure-storage-of-old');
    request.execute();
}
