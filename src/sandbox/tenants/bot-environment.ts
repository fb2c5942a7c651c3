import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { SandboxTenant } from './tenant.ts';

/**
 * The environment of the bot of a tenant that has no name, or of the bots of several, with a file of tenants that names its
 * secrets.
 *
 * @param folder of the file
 */
export function botEnvironment(tenants: readonly SandboxTenant[], folder: string): Record<string, string> {
  const [only] = tenants;
  if (only !== undefined && only.name === undefined) return { ...only.settings, ...only.secrets };
  const path = join(folder, 'tenants.yml');
  const described = tenants.map(({ name = '', settings, secrets }) => {
    const variables = Object.entries(secrets).map(
      ([secret, value]) => [secret, `${name.toUpperCase().replaceAll('-', '_')}_${secret}`, value] as const,
    );
    const named = Object.fromEntries(variables.map(([secret, variable]) => [`${secret}_ENV`, variable]));
    return { name, entry: { ...settings, ...named }, env: variables.map(([, variable, value]) => [variable, value]) };
  });
  writeFileSync(
    path,
    stringify({ tenants: Object.fromEntries(described.map(({ name, entry }) => [name, entry])) }, { lineWidth: 0 }),
  );
  return { TENANTS_FILE: path, ...Object.fromEntries(described.flatMap(({ env }) => env)) };
}
