import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { checkSample, expectedWebhook } from './features/webhooks/diagnose.ts';
import { listenError, startProblem } from './configuration/start-problem.ts';
import { ConfigError, readConfig, readProcessConfig, secretsOf, variablesOf, version, type Config } from './config.ts';
import { noTenant, readTenants, readTenantsFile } from './tenants/tenants-file.ts';
import { isStandard } from './domain/own-names.ts';
import { createInOwnNames } from './words/render.ts';
import { fault, right, unknown, type Diagnosis } from './domain/finding.ts';
import { diagnoseLimits } from './governance/rights/rights.ts';
import { diagnosisOf, createHealth } from './health/health.ts';
import { joinNetwork, proxyOf, throughProxies } from './http/outbound.ts';
import { diagnoseQuizService, listUserIds } from './quiz-api/observed-quiz-api.ts';
import { manifestFor } from './slack/app-manifest.ts';
import { diagnoseSlack } from './slack/diagnose.ts';
import { diagnoseStore, openReading } from './storage/open-storage.ts';
import { readOnlyChecks } from './storage/checks.ts';
import { diagnoseHolidays } from './time/working-hours.ts';

const usage = `npm run doctor checks the configuration, the store, Slack, the quiz service and webhooks. It changes nothing.

npm run doctor -- sample.txt   also verifies a recorded webhook: its headers, an empty line, its body
npm run doctor -- -            reads the webhook from standard input

npm run doctor -- --url https://bot.example   also sends a signed request to the bot there, as Slack does for a request URL

npm run doctor -- --tenant acme   checks the bot of the tenant acme of TENANTS_FILE
`;

/** Reading every page of a large store takes seconds. */
const checkTimeoutMs = 60_000;

/** A shorter secret is part of ordinary words. No line names a secret anyway. */
const shortestSecret = 8;

const marks = { right: '✓', fault: '✗', unknown: '–' };

const parameters = {
  url: { type: 'string' },
  tenant: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** What is diagnosed. */
interface Asked {
  /** Default: that of the process. */
  env?: Record<string, string | undefined>;
  /** Reads a recorded webhook. */
  readSample?: (() => Promise<string>) | undefined;
  /** The public address of the bot. */
  url?: string | undefined;
  tenant?: string | undefined;
}

if (import.meta.main) {
  process.umask(0o077);
  const { values, positionals } = parametersOrExit();
  const [sample] = positionals;
  if (values.help) process.stdout.write(usage);
  else {
    const readSample = sample === undefined ? undefined : () => read(sample);
    const { lines, faults } = await diagnose({ ...values, readSample });
    process.stdout.write(lines.map((line) => `${line}\n`).join(''));
    process.exitCode = faults === 0 ? 0 : 1;
  }
}

function parametersOrExit() {
  try {
    const parsed = parseArgs({ options: parameters, allowPositionals: true });
    if (parsed.values.url !== undefined && !URL.canParse(parsed.values.url))
      throw new Error(`--url must be an address such as https://bot.example, not ${parsed.values.url}`);
    return parsed;
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    process.stderr.write(`${said}\n\n${usage}`);
    return process.exit(1);
  }
}

/** @returns a line for each thing that was looked at, and how many must be mended */
export async function diagnose(asked: Asked): Promise<{ lines: string[]; faults: number }> {
  const config = configOrFaults(asked);
  if (Array.isArray(config)) {
    const others = unknown('store, Slack, quiz service and webhooks are checked once the configuration is right');
    return conclude([...linesOf('Configuration', config), ...linesOf('Others', [others])], config);
  }
  joinNetwork(config);
  const slack = await diagnoseConfiguredSlack(config, asked.url);
  const quizApi = {
    ...config.quizApi,
    userAgent: `invigilator/${version}`,
    agentOptions: throughProxies(config.proxies),
  };
  const service = await diagnoseQuizService(quizApi, Date.now);
  const { reading, contentFile } = await openReading(config);
  const account = { workspace: slack.workspace, userIds: async () => listUserIds(quizApi, Date.now) };
  const checks = [...readOnlyChecks(reading, contentFile, account), slack.check, service.check];
  const results = await createHealth({ checks, timeoutMs: checkTimeoutMs, now: Date.now }).look();
  const healthOf = (topic: string) => results.filter(({ check }) => check.topic === topic).map(diagnosisOf);
  const topics = {
    Configuration: [
      right('every variable is valid'),
      ...config.notices.map(unknown),
      ...(await diagnosePort(config)),
      ...waysOut(config),
      ...diagnoseHolidays(config.holidays, Date.now()),
      ...diagnoseLimits(config.rights),
    ],
    Store: [...healthOf('Store'), ...(await diagnoseStore(config, reading))],
    Slack: [...healthOf('Slack'), ...slack.diagnoses, ...featureDiagnoses(config)],
    'Quiz service': [...healthOf('Quiz service'), ...service.diagnoses],
    Webhooks: await diagnoseWebhooks(config, asked.readSample),
  };
  const inOwnNames = createInOwnNames(config.names);
  const lines = Object.entries(topics).flatMap(([topic, diagnoses]) =>
    linesOf(topic, diagnoses, secretsOf(config), inOwnNames),
  );
  return conclude(lines, Object.values(topics).flat());
}

/** Which way everything goes, where there are proxies. */
function waysOut({ slack, quizApi, proxies }: Config): Diagnosis[] {
  if (proxies.https === undefined && proxies.http === undefined) return [];
  const targets = { SLACK_API_URL: slack.apiUrl, QUIZ_API_URL: quizApi.baseUrl };
  return Object.entries(targets).map(([name, address]) => {
    const proxy = proxyOf(address, proxies);
    const way = proxy === undefined ? 'directly' : `through the proxy ${new URL(proxy).origin}`;
    return right(`${name}: ${new URL(address).host} is reached ${way}`);
  });
}

/** Whether the bot can listen. Where it runs already, it does so itself. */
async function diagnosePort(config: Config): Promise<Diagnosis[]> {
  const error = await listenError(config.http.port, config.http.host);
  const said = error === undefined ? undefined : (startProblem(error, config) ?? error.message);
  if (said === undefined) return [];
  const isInUse = error?.code === 'EADDRINUSE';
  return [isInUse ? unknown(`${said}. If that is this bot, all is well`) : fault(said)];
}

function configOrFaults({ env, tenant }: Asked): Config | Diagnosis[] {
  try {
    const isAlone = tenant === undefined && !('TENANTS_FILE' in variablesOf(env));
    return isAlone ? readConfig(env) : configOfTenant(env, tenant);
  } catch (error) {
    if (error instanceof ConfigError) return error.faults.map(fault);
    throw error;
  }
}

/** @throws {ConfigError} where the file of tenants has no such bot, or describes it wrongly */
function configOfTenant(env: Asked['env'], name = ''): Config {
  const { tenantsFile } = readProcessConfig(env);
  if (tenantsFile === undefined) throw new ConfigError([`TENANTS_FILE is not set, so there is no tenant ${name}.`]);
  const list = readTenants(readTenantsFile(tenantsFile), variablesOf(env));
  const entry = list.get(name);
  if (entry?.kind === 'bot') return entry.config;
  if (entry?.kind === 'faulty') throw new ConfigError([...entry.faults]);
  const names = [...list.keys()];
  throw new ConfigError([
    ...[...list].flatMap(([other, given]) =>
      given.kind === 'faulty' ? given.faults.map((said) => `The tenant ${other}: ${said}`) : [],
    ),
    name === ''
      ? `Name a tenant of TENANTS_FILE: npm run doctor -- --tenant acme. It has: ${names.join(', ') || 'none'}.`
      : noTenant(name, names),
  ]);
}

async function diagnoseConfiguredSlack(config: Config, publicUrl: string | undefined) {
  const { slack, alertsChannel, approvals, auditChannel, owners, managerField } = config;
  const channels = Object.fromEntries(
    Object.entries({
      ALERTS_CHANNEL: alertsChannel,
      APPROVALS_CHANNEL: approvals.channel,
      AUDIT_CHANNEL: auditChannel,
    }).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  return diagnoseSlack(
    {
      ...slack,
      names: config.names,
      manifest: manifestOf(config),
      channels,
      owners,
      managerField,
      publicUrl,
      eventsPath: config.tenant === undefined ? '/slack/events' : `/slack/events/${config.tenant}`,
    },
    Date.now,
  );
}

/** The manifest that the app has to be installed from: the file, or what `npm run manifest` prints where the settings ask for more. */
function manifestOf({ names, mcpEnabled, workflowStepsEnabled }: Config) {
  const base = readFileSync(new URL('../manifest.yml', import.meta.url), 'utf8');
  return {
    name: isStandard(names) && !mcpEnabled && !workflowStepsEnabled ? 'manifest.yml' : 'what npm run manifest prints',
    scopes: manifestFor(base, {
      names,
      eventsUrl: undefined,
      agentsUrl: mcpEnabled ? 'https://the.bot/mcp' : undefined,
      hasSteps: workflowStepsEnabled,
    }).oauth_config.scopes,
  };
}

/** What Slack does not tell of an app, or the configuration decides. */
function featureDiagnoses({ mcpEnabled, workflowStepsEnabled, slack }: Config): Diagnosis[] {
  const isUnsigned = mcpEnabled && slack.signingSecret === undefined;
  return [
    ...(isUnsigned
      ? [
          fault(
            'MCP_ENABLED is true, but nothing proves who asks without SLACK_SIGNING_SECRET, so agents stay off: set it and give the bot a public address, or remove MCP_ENABLED',
          ),
        ]
      : []),
    ...(workflowStepsEnabled
      ? [
          unknown(
            'WORKFLOW_STEPS_ENABLED: Slack does not say whether the app has the steps. Its manifest must have the functions that npm run manifest prints, and the app must be installed for the organization',
          ),
        ]
      : []),
  ];
}

async function diagnoseWebhooks(
  { webhook, quizApi: { timeZone } }: Config,
  readSample: Asked['readSample'],
): Promise<Diagnosis[]> {
  const rule = { ...webhook, timeZone };
  const expected = expectedWebhook(rule);
  if (readSample === undefined)
    return [
      ...expected,
      unknown('no recorded webhook was given: npm run doctor -- sample.txt verifies its headers and body'),
    ];
  try {
    return [...expected, ...checkSample(rule, await readSample(), Date.now())];
  } catch (error) {
    return [
      ...expected,
      fault(`the sample cannot be read (${error instanceof Error ? error.message : String(error)})`),
    ];
  }
}

async function read(sample: string): Promise<string> {
  if (sample !== '-') return readFileSync(sample, 'utf8');
  if (process.stdin.isTTY)
    process.stderr.write('Paste the headers, an empty line and the body, then press Enter and Ctrl+D:\n');
  return text(process.stdin);
}

/** A line for each diagnosis, without secrets and in the bot’s names. */
function linesOf(
  topic: string,
  diagnoses: readonly Diagnosis[],
  secrets: readonly string[] = [],
  inOwnNames = (said: string) => said,
): string[] {
  return diagnoses.map(({ state, text: said }) => {
    const line = secrets.reduce(
      (safe, secret) => (secret.length < shortestSecret ? safe : safe.replaceAll(secret, '…')),
      inOwnNames(said).replaceAll(/\s*\n\s*/g, ' '),
    );
    return `${marks[state]} ${topic}: ${line.replace(/\.$/, '')}.`;
  });
}

function conclude(lines: readonly string[], diagnoses: readonly Diagnosis[]): { lines: string[]; faults: number } {
  const faults = diagnoses.filter(({ state }) => state === 'fault').length;
  const conclusion =
    faults === 0
      ? 'Nothing has to be mended.'
      : `${faults === 1 ? '1 thing has' : `${faults} things have`} to be mended (✗).`;
  return { lines: [...lines, '', conclusion], faults };
}
