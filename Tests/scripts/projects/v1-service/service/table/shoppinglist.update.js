// Both are right: what the two lists hold is put together.
function update(item, user, request) {
    request.execute({
        success: function () { request.respond(); },
        conflict: function (serverItem) {
            var all = serverItem.articles.split(',');
            item.articles.split(',').forEach(function (article) {
                if (all.indexOf(article) < 0) all.push(article);
            });
            item.articles = all.sort().join(',');
            request.execute({
                success: function () { request.respond(statusCodes.OK, item); }
            });
        },
        error: function (error) { request.respond(error); }
    });
}
