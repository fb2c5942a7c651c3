/** What people read about who has left the platform. Sentences of `domain/sentence.ts`. */
export const departureWords = {
  suspend: (count: number, platform: string) =>
    `suspend ${count === 1 ? '1 person who has' : `${count.toLocaleString('en')} people who have`} left ${platform}`,
  nobody: (platform: string) => `Nobody whom you manage has left ${platform} and is active in the quiz account.`,
  over: 'Nobody is left to decide on: this proposal is over.',
  back: 'They’re back in the workspace, so they stay active in the quiz account.',
  protected: 'They’re named in OWNERS, so they count as an administrator. Take them out there first.',
  dismissed: (names: string, count: number) =>
    `Dismissed. ${names} ${count === 1 ? 'stays' : 'stay'} active in the quiz account, and won’t be proposed again unless they come back and leave again.`,
};
