// An old client asks for archived notes by a parameter of its own.
function read(query, user, request) {
    if (request.parameters.archived === 'only') query.where({ archived: true });
    else query.where(function () { return this.archived !== true; });
    query.orderByDescending('priority').take(20);
    request.execute({
        success: function (results) {
            results.forEach(function (note) {
                note.summary = (note.text || '').substring(0, 10);
            });
            request.respond();
        }
    });
}
