// A game's points go to the player's score once the game is there.
function insert(item, user, request) {
    request.execute({
        success: function () {
            mssql.query('UPDATE dbo.sqlscores SET score = score + @points WHERE name = @name'.replace(/@\w+/g, '?'),
                [item.points, item.player], {
                    success: function () { request.respond(); },
                    error: function (error) { request.respond(500, 'The score could not be kept'); }
                });
        }
    });
}
