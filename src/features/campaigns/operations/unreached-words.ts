import { say } from '../../../domain/said.ts';

/**
 * Why no message reaches a person, as it follows “not reached:” and a name.
 *
 * @param code of `domain/campaign-messages.ts`
 * @param platform its name
 */
export function unreachedWords(code: string, platform: string): string {
  switch (code) {
    case 'no_person':
      return say`nobody in ${platform} has their address`;
    case 'no_quiz':
      return say`the quiz couldn’t be assigned to them`;
    case 'another_user':
      return say`in ${platform}, their address is another user’s`;
    case 'no_user':
      return say`they aren’t in the quiz account any more`;
    case 'suspended':
      return say`they are suspended`;
    case 'turned_off':
      return say`they turned messages off`;
    case 'user_disabled':
    case 'user_not_found':
    case 'user_not_visible':
      return say`they aren’t in ${platform} any more`;
    default:
      return say`${platform} doesn’t take messages to them (${code})`;
  }
}
