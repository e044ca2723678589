// An object is kept as text, and is an object again to those who read.
function insert(item, user, request) {
    var tags = item.tags;
    item.tags = JSON.stringify(tags || []);
    request.execute({
        success: function () {
            item.tags = tags || [];
            request.respond();
        }
    });
}

function read(query, user, request) {
    request.execute({
        success: function (results) {
            results.forEach(function (row) { row.tags = JSON.parse(row.tags); });
            request.respond();
        }
    });
}
