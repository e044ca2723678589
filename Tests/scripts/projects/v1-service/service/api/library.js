// Routes of its own below one name.
exports.register = function (api) {
    api.get('books', all);
    api.get('/books/:id', one);
    api.post('/books', add);
    api.delete('/books/:id', remove);
    api.get('/secret', function (request, response) { response.send(200, 'open'); });
};

function table(request) {
    return request.service.tables.getTable('book');
}

function all(request, response) {
    table(request).where({ lent: false }).orderBy('title').read({
        success: function (books) {
            response.send(200, books.map(function (book) { return book.title; }));
        }
    });
}

function one(request, response) {
    table(request).lookup(request.params.id, {
        success: function (book) { response.json(200, { title: book.title }); },
        error: function () { response.send(404, { error: 'There is no book ' + request.params.id }); }
    });
}

function add(request, response) {
    table(request).insert(request.body, {
        success: function (book) { response.send(201, { id: book.id }); }
    });
}

function remove(request, response) {
    table(request).del({ id: request.params.id }, {
        success: function () { response.send(204); }
    });
}
