import { amount, say } from '../../../domain/said.ts';

/** What people read about who has left the platform. Sentences of `domain/sentence.ts`. */
export const departureWords = {
  suspend: (count: number, platform: string) =>
    count === 1
      ? {
          action: say`suspend 1 person who has left ${platform}`,
          done: say`suspended 1 person who has left ${platform}`,
        }
      : {
          action: say`suspend ${amount(count)} people who have left ${platform}`,
          done: say`suspended ${amount(count)} people who have left ${platform}`,
        },
  nobody: (platform: string) => say`Nobody whom you manage has left ${platform} and is active in the quiz account.`,
  over: say`Nobody on this list is left to decide on.`,
  back: say`They’re back in the workspace, so they stay active in the quiz account.`,
  protected: say`They’re named in OWNERS, so they count as an administrator. Take them out there first.`,
  dismissed: (names: string, count: number) =>
    say`Dismissed. ${names} ${count === 1 ? 'stays' : 'stay'} active in the quiz account, and won’t be listed again unless they come back and leave again.`,
};
