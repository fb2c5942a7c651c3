import { auditPackages, type Audit } from './audit.ts';

/**
 * `npm run audit` asks the registry for known vulnerabilities of the packages that the bot runs with, and fails where there
 * are any. Where the registry gives no audits, it says so: `docs/licenses.md` and the hashes of the lock file are all that
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
