exports.startup = function (context, done) {
    console.log('the service begins');
    done();
};
