/**
 * Why no message reaches a person, as it follows “not reached:” and a name.
 *
 * @param code of `domain/campaign-messages.ts`
 * @param platform its name
 */
export function unreachedWords(code: string, platform: string): string {
  switch (code) {
    case 'no_person':
      return `nobody in ${platform} has their address`;
    case 'no_quiz':
      return 'the quiz couldn’t be assigned to them';
    case 'another_user':
      return `in ${platform}, their address is another user’s`;
    case 'no_user':
      return 'they aren’t in the quiz account any more';
    case 'suspended':
      return 'they are suspended';
    case 'turned_off':
      return 'they turned messages off';
    case 'user_disabled':
    case 'user_not_found':
    case 'user_not_visible':
      return `they aren’t in ${platform} any more`;
    default:
      return `${platform} doesn’t take messages to them (${code})`;
  }
}
