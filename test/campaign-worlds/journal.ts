/** What the stand-ins saw, and what people did there. Times are milliseconds since the epoch. */
export type Fact = { at: number } & (
  | {
      kind: 'started';
      campaign: number;
      members: readonly number[];
      dueAt: number;
      remindMs: readonly number[];
      overdueMs: number | undefined;
      escalateMs: number | undefined;
      completeWhen: 'passed' | 'submitted';
      validMonths: number | undefined;
    }
  | { kind: 'added' | 'not me' | 'snoozed'; campaign: number; who: number }
  | { kind: 'included'; campaign: number; who: number }
  | { kind: 'excused'; campaign: number; who: number; reason: string; until: number | undefined }
  | { kind: 'extended'; campaign: number; dueAt: number }
  | { kind: 'ended' | 'over'; campaign: number }
  | { kind: 'reminded by hand'; campaign: number }
  /** The service has it. */
  | { kind: 'submitted'; campaign: number; who: number; attempt: string; passed: boolean; submittedAt: number }
  | { kind: 'attempt deleted'; campaign: number; attempt: string }
  /** The bot took its webhook. */
  | { kind: 'heard'; campaign: number; attempt: string }
  /** The bot read the responses of the quiz. */
  | { kind: 'read'; campaign: number; forCommand: boolean }
  | { kind: 'quiz'; campaign: number; status: 'open' | 'closed' | 'deleted' }
  | { kind: 'suspended' | 'deleted' | 'left' | 'turned off'; who: number; is: boolean }
  | { kind: 'bot'; isUp: boolean }
  /** Slack took a message that asks for these quizzes. */
  | { kind: 'message'; who: number; campaigns: readonly number[]; text: string }
  | { kind: 'report'; campaign: number; rows: readonly ReportRow[] }
  | { kind: 'board'; campaign: number; text: string; quietSince: number }
);

export type FactOf<Kind extends Fact['kind']> = Extract<Fact, { kind: Kind }>;
export type ReportRow = Readonly<Record<string, string>> & { Person: string };

export interface Journal {
  all: readonly Fact[];
  note(fact: Fact): void;
}

export function createJournal(): Journal {
  const all: Fact[] = [];
  return { all, note: (fact) => void all.push(fact) };
}

/** The facts about a campaign and its people, in the order of their times. */
export function factsAbout(all: readonly Fact[], campaign: number): Fact[] {
  return all
    .filter((fact) =>
      'campaign' in fact
        ? fact.campaign === campaign
        : fact.kind === 'message'
          ? fact.campaigns.includes(campaign)
          : true,
    )
    .toSorted((a, b) => a.at - b.at);
}

/** The IDs of a world’s people, quizzes and boards, by their numbers. */
export const userIdOf = (who: number) => `u-${who}`;
export const personIdOf = (who: number) => `U0PERSON${String(who).padStart(3, '0')}`;
export const quizIdOf = (campaign: number) => `20000000-0000-4000-8000-${String(campaign).padStart(12, '0')}`;
export const boardOf = (campaign: number) => ({
  id: `C0BOARD${String(campaign).padStart(4, '0')}`,
  name: `board-${campaign}`,
});

/** Names that stay in all names that a campaign’s quiz and its people get. */
export const quizToken = (campaign: number) => `Drill${String(campaign).padStart(3, '0')}`;
export const personToken = (who: number) => `Person${String(who).padStart(3, '0')}`;
export const numbersOf = (prefix: 'Drill' | 'Person', text: string): number[] => [
  ...new Set([...text.matchAll(new RegExp(`${prefix}(\\d{3})`, 'g'))].map(([, number]) => Number(number))),
];
