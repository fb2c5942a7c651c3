import type { NoManagers } from '../../domain/managers.ts';
import { say } from '../../domain/said.ts';

/**
 * Why nobody’s manager is known and what to do about it, as sentences (`domain/sentence.ts`).
 *
 * @param platform its name
 */
export function noManagersWords(problem: NoManagers, platform: string): string {
  switch (problem) {
    case 'missing_scope':
      return say`${platform} doesn’t show the bot who is whose manager. The person who installed the bot can add the scope users.profile:read.`;
    case 'no_field':
      return say`${platform} profiles have no field “Manager”. An administrator of the workspace can add one of the type “People”, or the operator of the bot can name another one in MANAGER_FIELD.`;
    case 'editable':
      return say`People can edit the field “Manager” of their ${platform} profile themselves, so it decides nothing. An administrator of the workspace can lock it, or the operator of the bot can name it in MANAGER_FIELD.`;
    case 'unknown_field':
      return say`${platform} profiles have no field that MANAGER_FIELD names. The operator of the bot can correct it.`;
    case 'not_people':
      return say`The field of ${platform} profiles that MANAGER_FIELD names doesn’t hold people. The operator of the bot can name another one.`;
  }
}
