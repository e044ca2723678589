function update(item, user, request) {
    if (request.undelete) console.log('back again: ' + item.id + ' ' + item.__deleted);
    if (item.id === 'other') item.id = 'else';
    request.execute();
}
