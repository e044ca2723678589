// What is answered in which order.
function insert(item, user, request) {
    switch (item.how) {
        case 'respond alone': return request.respond();
        case 'execute and respond': request.execute(); request.respond(); return;
        case 'execute and answer': request.execute(); request.respond(202, { queued: true }); return;
        case 'respond while executing':
            request.execute({ success: function () { item.told = true; } });
            request.respond();
            return;
        case 'twice': request.respond(200, { first: true }); request.respond(200, { second: true }); return;
        case 'behind': request.respond(200, { first: true }); request.execute(); return;
        case 'changed': request.execute({ success: function () { item.extra = 1; request.respond(); } }); return;
        case 'same': request.execute({ success: function () { request.respond(201, item); } }); return;
        case 'error': request.respond(new Error('secret words')); return;
        case 'known error':
            var error = new Error('too much');
            error.statusCode = 413;
            request.respond(error);
            return;
        case 'object': request.respond(statusCodes.BAD_REQUEST, { field: 'how' }); return;
        case 'bare': request.respond(statusCodes.NOT_FOUND); return;
        case 'zero': request.respond(200, 0); return;
        case 'error handler': request.execute({ error: function () { request.respond(); } }); return;
        case 'own id': item.id = 'mine'; request.execute(); return;
        case 'system':
            request.execute({ systemProperties: ['createdAt', '__version'], success: function () {
                request.respond(200, { names: Object.keys(item).sort(), isDate: item.__createdAt instanceof Date });
            } });
            return;
        case 'services':
            var table = tables.getTable('other');
            request.respond(200, {
                same: request.service.tables.getTable('x').getTableName() === 'x' && request.user === user,
                current: tables.current.getTableName(),
                codes: [statusCodes.OK, statusCodes.CREATED, statusCodes.UNAUTHORIZED, statusCodes.CONFLICT,
                    statusCodes.INTERNAL_SERVER_ERROR, statusCodes.REQUEST_ENTITY_TOO_LARGE],
                nothing: typeof table.insert({ text: 'x' }).then,
                operation: request.operation, parameters: request.parameters
            });
            return;
    }
}
