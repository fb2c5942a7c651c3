import { eraseStore } from './storage/open-storage.ts';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError, readStoreConfig } from './config.ts';
import { isTenantName, nameRule } from './tenants/tenants-file.ts';

const usage = `npm run erase-tenant -- acme erases everything that the bot of the tenant acme has stored, at once and for good: its folder
below DATA_DIR and, where REDIS_URL is set, its keys in Redis. Its bot must not run: take acme out of TENANTS_FILE, restart the
process, and then erase. The quiz account and the workspace keep what they have.
`;

const [name, ...others] = process.argv.slice(2);
process.exitCode =
  name === undefined || others.length > 0 || name.startsWith('-') ? showUsage(name) : await erase(name);

/** @returns the exit code */
function showUsage(given: string | undefined): number {
  const isAsked = given === '--help' || given === '-h';
  (isAsked ? process.stdout : process.stderr).write(usage);
  return isAsked ? 0 : 1;
}

/** @returns the exit code */
async function erase(tenant: string): Promise<number> {
  try {
    if (!isTenantName(tenant)) throw new Error(`the name of a tenant ${nameRule}`);
    const { dataDir, redisUrl } = readStoreConfig();
    const folder = join(dataDir, 'tenants', tenant);
    const { files, keys } = await eraseStore({ dataDir: folder, redisUrl, tenant });
    const inFolder = `${files} ${files === 1 ? 'file' : 'files'} in ${folder}`;
    const inRedis = keys === undefined ? '' : `, and ${keys} ${keys === 1 ? 'key' : 'keys'} in Redis`;
    if (files === 0 && (keys ?? 0) === 0) {
      process.stderr.write(`Nothing is stored of ${tenant}. ${storedNames(join(dataDir, 'tenants'))}\n`);
      return 1;
    }
    process.stdout.write(`Erased what ${tenant} had stored: ${inFolder}${inRedis}.\n`);
    if (keys === undefined) process.stdout.write('REDIS_URL is not set, so nothing was looked for in Redis.\n');
    return 0;
  } catch (error) {
    const faults =
      error instanceof ConfigError
        ? error.faults
        : [`Nothing was erased: ${error instanceof Error ? error.message : String(error)}.`.replace(/\.\.$/, '.')];
    process.stderr.write(`${faults.join('\n')}\n`);
    return 1;
  }
}

function storedNames(folder: string): string {
  let names: string[] = [];
  try {
    names = readdirSync(folder);
  } catch {
    // There is no folder of tenants.
  }
  return names.length === 0 ? `${folder} has no tenant.` : `${folder} has: ${names.join(', ')}.`;
}
