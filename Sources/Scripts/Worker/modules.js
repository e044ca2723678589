'use strict';

// The modules that scripts require and that this program answers itself.

const { replace, stand } = require('./resolve');

/** Has `require` of a project's scripts give ours. */
function provide(project) {
  const { sdk, queries, promises } = require('./azure-mobile-apps');
  const { logger } = require('./v2-context');
  const { express, bodyParser } = require('./express');
  project.configuration = configurationOf();
  sdk.configuration = project.configuration;
  for (const name of ['azure-mobile-apps', 'azure-mobile-apps/src', 'azure-mobile-apps/src/index']) replace(name, sdk);
  replace('azure-mobile-apps/src/query', queries);
  replace('azure-mobile-apps/src/utilities/promises', promises);
  replace('azure-mobile-apps/src/logger', logger);
  stand('express', express);
  stand('body-parser', bodyParser);
  require('./v1-load').provide?.(project);
}

/** What scripts may know of the server's settings: nothing that is secret. */
function configurationOf() {
  return {
    platform: 'express', basePath: '/', debug: false, logging: { level: 'info' }, cors: { origins: [] },
    name: process.env.MS_MobileAppName ?? process.env.WEBSITE_SITE_NAME ?? 'mobile-app',
    data: { provider: 'server', schema: 'dbo', dynamicSchema: true }, auth: {}, notifications: {}, storage: {},
  };
}

module.exports = { provide };
