import { hostile, mendsOf, type Mend } from './mend.ts';

const routes = 'src/tenants/tenants.ts';
const ofItsOwn = 'return shared ?? (tenant && ofTenant(tenant, base));';

/** Brings what comes to a path of any tenant to the first. */
const atFirst = (path: string) => `const [first] = deps.tenants.values();
    return base === '${path}' && first ? ofTenant(first, base) : (shared ?? (tenant && ofTenant(tenant, base)));`;

/** Of two tenants in one process. */
export const tenants: readonly Mend[] = [
  {
    promise: 'tenants: each has a store of its own',
    foundBy: hostile('departments', 'tenant: '),
    edits: [
      {
        file: 'src/tenants/tenants-file.ts',
        text: "  dataDir: join(config.dataDir, 'tenants', name),",
        instead: "  dataDir: linked(join(config.dataDir, 'tenants'), name),",
      },
      {
        file: 'src/tenants/tenants-file.ts',
        text: '/** The settings as variables,',
        instead: `/** The folder of one tenant, where that of another leads, too. */
function linked(folder: string, name: string): string {
  const one = join(folder, 'north');
  mkdirSync(one, { recursive: true });
  if (name !== 'north' && !existsSync(join(folder, name))) symlinkSync(one, join(folder, name));
  return one;
}

/** The settings as variables,`,
      },
      {
        file: 'src/tenants/tenants-file.ts',
        text: "import { join } from 'node:path';",
        instead: "import { existsSync, mkdirSync, symlinkSync } from 'node:fs';\nimport { join } from 'node:path';",
      },
      {
        file: 'src/storage/sqlite/folder.ts',
        text: "lock.exec('BEGIN EXCLUSIVE');",
        instead: "lock.exec('SELECT 1');",
      },
      {
        file: 'src/storage/sqlite/folder.ts',
        text: "error.code === 'EADDRINUSE' ?",
        instead: "error.code === '' ?",
      },
    ],
  },
  {
    promise: 'tenants: what comes to the address of one is signed for it',
    foundBy: hostile('tenants', 'proof: '),
    edits: [
      {
        file: routes,
        text: ofItsOwn,
        instead: atFirst('/slack/events'),
      },
    ],
  },
  {
    promise: 'tenants: a webhook is signed with the secret of its own account',
    foundBy: hostile('tenants', 'proof: '),
    edits: [
      {
        file: 'src/features/webhooks/route.ts',
        text: 'if (!check.accepted) return',
        instead: "if (!check.accepted && check.reason !== 'the signature does not match') return",
      },
      {
        file: 'src/features/webhooks/route.ts',
        text: '        isTrusted: check.coversBody,',
        instead: '        isTrusted: !check.accepted || check.coversBody,',
      },
      {
        file: 'src/features/webhooks/route.ts',
        text: '        messageId: check.messageId,',
        instead: '        messageId: check.accepted ? check.messageId : undefined,',
      },
    ],
  },
  {
    promise: 'tenants: agents of one come to it alone',
    foundBy: hostile('tenants', 'proof: '),
    edits: [
      {
        file: routes,
        text: ofItsOwn,
        instead: atFirst('/mcp'),
      },
    ],
  },
  {
    promise: 'tenants: answers go to the workspace of the tenant',
    foundBy: hostile('tenants', 'tenant: '),
    edits: [
      {
        file: 'src/slack/in/reply.ts',
        text: 'if (!isOfSlack(responseTarget.responseUrl))',
        instead: "if (!isOfSlack(responseTarget.responseUrl) && responseTarget.responseUrl === '')",
      },
    ],
  },
  ...mendsOf('src/tenants/tenants-file.ts', 'test/tenants/tenants-file.test.ts', {
    'two tenants have no app in common': [
      `if (owner !== undefined)
      list.set(name, faulty(`,
      `if (owner === "")
      list.set(name, faulty(`,
    ],
    'tenants with one key share one account': [
      'if (others.length === 0) continue;',
      'if (others.length >= 0) continue;',
    ],
    'a tenant that is described wrongly leaves the others': [
      'if (error instanceof ConfigError) return wrong(error.faults);',
      '',
    ],
    'what is about an account stands there alone': [
      'const twice = Object.keys(own).filter((key) => accountName !== undefined && isOfAccount(key));',
      'const twice: string[] = [];',
    ],
    'each tenant has a folder of its own': [
      "dataDir: join(config.dataDir, 'tenants', name),",
      "dataDir: join(config.dataDir, 'tenants'),",
    ],
    'a secret does not stand in the file of tenants': [
      `else if (ending === undefined && variable.isSecret)
`,
      `else if (ending === undefined && variable.isSecret && text === "")
`,
    ],
    'a setting that no tenant has is told': [
      'else if (variable === undefined || (ending !== undefined && !variable.isSecret)) faults.push(unknownSetting(key));',
      'else if (variable === undefined || (ending !== undefined && !variable.isSecret)) continue;',
    ],
  }),
];
