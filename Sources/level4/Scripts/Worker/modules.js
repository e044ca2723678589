'use strict';

// The modules that scripts require and that this program answers itself.

const { settle } = require('./express-home');
const { withKey } = require('./token-key');
const { lend, replace } = require('./resolve');

/** Has `require` of a project's scripts give ours. */
function provide(project) {
  settle(project);
  project.configuration = configurationOf(project);
  // Where App Service had a key for custom logins; this one is not the server's own.
  if (project.tokenKey) process.env.WEBSITE_AUTH_SIGNING_KEY ??= project.tokenKey;
  const { modulesOf } = require('./sdk-modules');
  const modules = modulesOf(project);
  for (const part of Object.keys(modules)) {
    const name = part ? `azure-mobile-apps/src/${part}` : 'azure-mobile-apps';
    for (const one of part ? [name, `${name}.js`, `${name}/index`] : [name, `${name}/src`, `${name}/src/index`]) {
      replace(one, modules[part]);
    }
  }
  // The logger that came with the SDK.
  if (project.form !== 'service') lend('winston', () => require('./winston'));
  require('./v1-load').provide?.(project);
}

/** What scripts may know of the server's settings: nothing that is secret. */
function configurationOf({ tokenKey }) {
  const { env } = process;
  return {
    platform: 'express', basePath: '/', debug: false, logging: { level: 'info' }, cors: { origins: [] },
    name: env.MS_MobileAppName ?? env.WEBSITE_SITE_NAME ?? 'mobile-app',
    tableRootPath: '/tables', apiRootPath: '/api', notificationRootPath: '/push/installations',
    pageSize: 50, maxTop: 1000, userIdColumn: 'userId', homePage: false, swagger: false,
    data: { provider: 'server', schema: 'dbo', dynamicSchema: true }, storage: {},
    auth: tokenKey ? withKey({}, tokenKey) : {},
    notifications: { hubName: env.MS_NotificationHubName },
    tables: {}, api: {},
  };
}

module.exports = { provide };
