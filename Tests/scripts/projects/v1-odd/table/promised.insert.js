// Promises, for those who go on writing.
async function insert(item, user, request) {
    const rows = await tables.getTable('other').where({ text: item.text }).read();
    try {
        await tables.getTable('other').del('missing');
    } catch (error) {
        item.failed = error.message;
    }
    item.count = rows.length;
    await new Promise((resolve) => setTimeout(resolve, 5));
    request.execute();
}
