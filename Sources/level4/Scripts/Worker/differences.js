'use strict';

// What a project may have that is other here than it was, and why: told by `zumod check` where a source has it.

const DIFFERENCES = [
  {
    pattern: /\bpush\s*\.\s*(?:send|gcm|apns|wns|mpns)\b|\bpush\s*&&|\.push\.\w+\.send\b/,
    sentence: 'push sends nothing, since the services are gone: each message is a line of the log',
  },
  {
    pattern: /\bhomePage\s*:\s*true\b/,
    sentence: 'there is no home page: the server shows operators its data page instead, where that is switched on',
  },
  {
    pattern: /\bswagger\s*:\s*(?!false\b)\S/,
    sentence: 'swagger is not served: the server describes its API itself, at /openapi.json',
  },
  {
    pattern: /\bdata\s*:\s*\{[^}]*\b(?:provider|connectionString|server|database|user|password)\s*:/,
    sentence: 'the database is the one of the server (--database), whatever is said here: zumod import brings the rows',
  },
  {
    pattern: /\bMS_TableConnectionString\b|\bSQL(?:AZURE)?CONNSTR_\w*/,
    sentence: 'the database is the one of the server (--database); this setting is only there if you set it',
  },
  {
    form: 'service',
    pattern: /\bitem\s*\.\s*(?:createdAt|updatedAt|deleted|version)\s*=(?!=)/i,
    sentence: 'a column of its own by this name is __own_createdAt (and so on) to later clients and in the configuration, where '
      + "the plain name is the server's; a table without dynamicSchema needs it among its columns",
  },
  {
    pattern: /\bconfig\s*\.\s*masterKey\b|['"]mobileservice-config['"]\s*\)\s*\.\s*masterKey\b|\bMS_MasterKey\b/,
    sentence: 'scripts learn no key of the server: if they sign tokens, give them auth.masterKey as MS_MasterKey',
  },
  {
    pattern: /\bauth\s*:\s*\{[^}]*\b(?:secret|validateTokens|getIdentity)\b/,
    sentence: "what clients bring is checked with the server's own key (auth.signingKey), whatever is said here",
  },
  {
    pattern: /\bnotifications\s*:\s*\{/,
    sentence: 'there is no notification hub: registrations are kept, and what is sent is a line of the log',
  },
  {
    pattern: /\b(?:bodyParser|express|parser)\s*\.\s*\w+\(\s*\{[^}]*\blimit\s*:/,
    sentence: 'how large a body may be is a setting of the server (limits.bodyBytes): what is larger does not come so far',
  },
  {
    pattern: /\bcors\s*:\s*\{/,
    sentence: "which web pages may call the server is its own setting: cors.origins",
  },
  {
    pattern: /\bstorage\s*:\s*\{|\brequire\(\s*['"]azure-storage['"]\s*\)/,
    sentence: 'files of an Azure storage stay there: the package talks to it, and zumod serves none',
  },
  {
    pattern: /\brequire\(\s*['"](?:mssql|tedious|sqlite3)['"]\s*\)/,
    sentence: 'this driver opens a database of its own, which is not the one that the server keeps its rows in',
  },
];

module.exports = { DIFFERENCES };
