import { spawnSync } from 'node:child_process';

/** What the registry of packages knows of the packages that the bot runs with. */
type Audit =
  | { kind: 'clean' }
  | { kind: 'vulnerable'; packages: readonly { name: string; severity: string; titles: readonly string[] }[] }
  | { kind: 'not checked'; reason: string };

interface Report {
  vulnerabilities?: Record<string, { name: string; severity: string; via: (string | { title: string })[] }>;
  message?: string;
}

/** Asks the registry that npm is set to. Never throws: a registry that gives no audits is a result. */
function auditPackages(): Audit {
  const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json', '--fetch-retries=0', '--fetch-timeout=20000'], {
    encoding: 'utf8',
  });
  return auditOf(stdout);
}

function auditOf(printed: string): Audit {
  let report: Report;
  try {
    report = JSON.parse(printed) as Report;
  } catch {
    return { kind: 'not checked', reason: 'npm printed no report' };
  }
  const { vulnerabilities, message = 'no reason given' } = report;
  if (vulnerabilities === undefined) return { kind: 'not checked', reason: withoutAddresses(message) };
  const packages = Object.values(vulnerabilities).map(({ name, severity, via }) => ({
    name,
    severity,
    titles: via.map((cause) => (typeof cause === 'string' ? `through ${cause}` : cause.title)),
  }));
  return packages.length === 0 ? { kind: 'clean' } : { kind: 'vulnerable', packages };
}

const withoutAddresses = (message: string) => message.replaceAll(/https?:\/\/\S+/g, 'the registry');

/**
 * `npm run audit` asks the registry for known vulnerabilities of the packages that the bot runs with, and fails where there
 * are any. Where the registry gives no audits, it says so: `docs/reference/licenses.md` and the hashes of the lock file are all that
 * is checked then.
 */
const audit = auditPackages();
process.stdout.write(`${linesOf(audit).join('\n')}\n`);
process.exitCode = audit.kind === 'vulnerable' ? 1 : 0;

function linesOf(result: Audit): readonly string[] {
  switch (result.kind) {
    case 'clean':
      return ['No known vulnerability in the packages that the bot runs with.'];
    case 'vulnerable':
      return result.packages.map(({ name, severity, titles }) => `${name}: ${severity}: ${titles.join('; ')}`);
    case 'not checked':
      return [`Vulnerabilities were not checked: the registry gives no audits (${result.reason}).`];
  }
}
