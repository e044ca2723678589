// The main file in a folder, tables and APIs in folders of folders beside it.
const express = require('express');
const mobileApps = require('azure-mobile-apps');
const guard = require('./lib/guard');

const app = express();
const mobile = mobileApps();
mobile.tables.import('./tables');
mobile.api.import('./api');
const router = express.Router();
router.get('/status', guard, (req, res) => res.json({ status: 'fine' }));
app.use('/api/extra', router);
app.use(mobile);
app.listen(process.env.PORT);
