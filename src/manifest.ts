import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { ConfigError, readManifestConfig } from './config.ts';
import { manifestText } from './slack/app-manifest.ts';
import { readTenantsFile, settingsOfTenant } from './tenants/tenants-file.ts';

const usage = `npm run manifest prints the manifest of the Slack app, for the settings of the environment: COMMAND_PREFIX, BOT_NAME,
MCP_ENABLED and WORKFLOW_STEPS_ENABLED. It is for Socket Mode, unless you name the public address of the bot.

npm run manifest -- --url https://bot.example        is for HTTP, with the public address of the bot
npm run manifest -- --socket                         is for Socket Mode, also where SLACK_SIGNING_SECRET is set
npm run manifest -- --socket --required              leaves out the scopes that people can refuse when they install the app
npm run manifest -- acme --url https://bot.example   is that of the tenant acme of TENANTS_FILE
`;

/** What the printed manifest needs beside the environment. */
const parameters = {
  url: { type: 'string' },
  socket: { type: 'boolean' },
  required: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

if (import.meta.main) {
  const { said, faults } = printManifest(process.argv.slice(2));
  process.stdout.write(said);
  process.stderr.write(faults);
  process.exitCode = faults === '' ? 0 : 1;
}

type Environment = Record<string, string | undefined>;

/**
 * @param env default: that of the process
 * @returns what the program says, or why it says nothing
 */
export function printManifest(args: string[], env?: Environment): { said: string; faults: string } {
  try {
    const { values, positionals } = parseArgs({ args, options: parameters, allowPositionals: true });
    return { said: values.help ? usage : printed(positionals, values, env), faults: '' };
  } catch (error) {
    const faults =
      error instanceof ConfigError ? error.faults : [error instanceof Error ? error.message : String(error)];
    return { said: '', faults: `${faults.join('\n')}\n` };
  }
}

function printed(
  [tenant]: readonly string[],
  { url, socket = false, required = false }: { url?: string; socket?: boolean; required?: boolean },
  env: Environment | undefined,
): string {
  const { names, isSocketMode, hasSigningSecret, mcpEnabled, workflowStepsEnabled } = configOf(tenant, env);
  const isOverSocket = socket || isSocketMode || (url === undefined && !hasSigningSecret);
  if (url !== undefined && !/^https:\/\/[^/]/.test(url))
    throw new Error(`--url must be an https address such as https://bot.example, not ${url}`);
  if (url === undefined && !isOverSocket)
    throw new Error(
      'Name the public address of the bot, or choose Socket Mode: npm run manifest -- --url https://bot.example, or npm run manifest -- --socket',
    );
  if (url === undefined && mcpEnabled)
    throw new Error(
      'MCP_ENABLED is true, and Slackbot calls the bot at its public address: npm run manifest -- --url https://bot.example',
    );
  const address = (path: string) => new URL(tenant === undefined ? path : `${path}/${tenant}`, url).href;
  return manifestText(readFileSync(new URL('../manifest.yml', import.meta.url), 'utf8'), {
    names,
    eventsUrl: isOverSocket ? undefined : address('/slack/events'),
    agentsUrl: mcpEnabled ? address('/mcp') : undefined,
    hasSteps: workflowStepsEnabled,
    hasOptionalScopes: !required,
  });
}

/** The settings of the only bot, or of a tenant. */
function configOf(tenant: string | undefined, env?: Environment): ReturnType<typeof readManifestConfig> {
  const config = readManifestConfig(env);
  if (tenant === undefined && config.tenantsFile === undefined) return config;
  if (config.tenantsFile === undefined) throw new Error(`TENANTS_FILE is not set, so there is no tenant ${tenant}.`);
  if (tenant === undefined) throw new Error('Name a tenant of TENANTS_FILE: npm run manifest -- acme');
  return readManifestConfig(settingsOfTenant(readTenantsFile(config.tenantsFile), tenant));
}
