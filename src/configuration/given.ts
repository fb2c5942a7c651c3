import { readSecretFiles } from './secret-files.ts';
import { secretNames } from './variables.ts';

/**
 * The variables that are set to something.
 *
 * @returns `set`: as the environment has them; `given`: with the secrets that stand in files; `fileFaults`: by variable, a sentence
 *   for each file that cannot be used
 */
export function givenIn(env: Record<string, string | undefined>) {
  const set = Object.fromEntries(
    Object.entries(env)
      .map(([name, value]) => [name, value?.trim()])
      .filter(([, value]) => value !== '' && value !== undefined),
  ) as Record<string, string>;
  const { secrets, faults: fileFaults } = readSecretFiles(set, secretNames);
  return { set, given: { ...set, ...secrets }, fileFaults };
}
