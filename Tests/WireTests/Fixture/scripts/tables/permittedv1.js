// Another table says who may.
function insert(item, user, request) {
    tables.getTable('permissionsv1').where({ userId: user.userId, permission: 'order' }).read({ success: checked });

    function checked(results) {
        if (results.length > 0) {
            request.execute();
        } else {
            console.log('User %s has no permission to order.', user.userId);
            request.respond(statusCodes.FORBIDDEN, 'You may not order.');
        }
    }
}
