function update(item, user, request) {
    setTimeout(function () {
        throw new Error('later');
    }, 5);
}
