import type { NoManagers } from './managers.ts';
import type { Campaign, CampaignMember, Obligation, Rule, RuleChange } from './campaign.ts';

/** How somebody stands, in the difference that a change makes. Who is not asked is excused or waits to be marked, for example. */
export type RuleState = 'valid' | 'to renew' | 'due' | 'overdue' | 'expired' | 'not asked';

/** A change of a campaign’s rule as its preview shows it, before a person starts it. */
export interface CampaignChangePlan {
  kind: 'campaign-change';
  campaignId: string;
  quiz: Campaign['quiz'];
  /** That of the campaign. */
  timeZone: string;
  change: RuleChange;
  before: Rule;
  after: Rule;
  /** How many people are, and would be, in each state. */
  states: readonly { state: RuleState; before: number; after: number }[];
  /** Everyone in it: those first who would stand differently, and of them those who would have to take it. */
  members: readonly ChangedMember[];
  /** How many people would get their next message sooner, and when the first of them goes out. */
  sooner: number;
  firstMessagesAt: number | null;
  /** Why another person has to approve it: of those who would have to take it, and do not have to now. */
  approval: CampaignPlan['approval'];
}

export interface ChangedMember {
  userId: string;
  name: string;
  was: RuleState;
  is: RuleState;
  dueWas?: number;
  /** As they would be, in milliseconds since the epoch. */
  dueAt?: number;
  validUntil?: number;
}

/** What a campaign has from its start on. */
export type CampaignDraft = Pick<
  Campaign,
  'quiz' | 'rule' | 'leads' | 'timeZone' | 'audience' | 'leftOut' | 'except' | 'words' | 'takesMinutes'
>;

/** A campaign as its preview shows it, before a person starts it. The people are frozen: nobody else is added at the start. */
export interface CampaignPlan {
  kind: 'campaign';
  draft: CampaignDraft;
  /** The campaign that takes these people in; null: it is a new one. */
  into: string | null;
  /** Where the owner has a campaign that stands for the quiz with the same rule by then, its people come into that one. */
  isOnlyOne: boolean;
  /** What the platform said of the managers of its members; null where no name goes to them. */
  managers: PlannedManagers | null;
  /** Names of the leads, where they were chosen. */
  leadNames: readonly string[];
  members: readonly PlannedMember[];
  /** Who does not have the quiz yet. Groups of which every member takes part are assigned as groups. */
  assign: { groups: readonly { id: string; name: string }[]; users: readonly { id: string; name: string }[] };
  /** Names of the people who take no part, by reason. */
  leftOut: {
    passed: readonly string[];
    suspended: readonly string[];
    guests: readonly string[];
    excepted: readonly string[];
    withoutUser: readonly PersonWithoutUser[];
  };
  /** Of those who have passed, with a validity: until when their passes count, in milliseconds since the epoch. */
  valid: readonly ValidPass[];
  /** Why another person has to approve the start. */
  approval: 'many people' | 'other people' | null;
  /** When the first messages go out; null where they reach nobody. */
  firstMessagesAt: number | null;
  /** When the last of them go out, where that is later. */
  firstMessagesUntil?: number;
  /** The first of them go out at once. */
  firstMessagesNow?: true;
  /** Some people’s clocks show another time than the lead’s. */
  clocksDiffer?: true;
  /** The time at which they all go out, each on the clock of its person, where clocks differ: `2026-11-24T09:00`. */
  firstMessagesLocal?: string;
  /** Names of the people to whom another campaign wrote on that day already. */
  laterNames: readonly string[];
  /** Names of the people whose first message comes after the due time. */
  lateNames: readonly string[];
  /** Other campaigns that run for the quiz, and have some of these people. */
  overlaps: readonly CampaignOverlap[];
  /** The groups, channels and user groups that were named, how many users are in them now, how many of these take part, and how many passed; null where none was. */
  collectives: { names: readonly string[]; people: number; of: number; passed: number } | null;
}

/** How many members have a manager who would get their names, how many have none, and of how many the platform was not asked yet. */
export interface PlannedManagers {
  managed: number;
  unmanaged: number;
  unknown: number;
  /** Why nobody has one. */
  problem?: NoManagers;
}

/** Somebody’s pass that counts until a moment. */
export interface ValidPass {
  name: string;
  until: number;
}

/** A campaign that runs for the same quiz, and how many of the people have to take it there. */
export interface CampaignOverlap {
  campaignId: string;
  /** On the platform. */
  ownerId: string;
  /** When the first of them has it due; null: at no time. */
  dueAt: number | null;
  /** Others have it due later. */
  isFirst?: true;
  people: number;
}

export interface PlannedMember extends Pick<CampaignMember, 'userId' | 'name' | 'groups' | 'personId' | 'timeZone'> {
  /** What they would have to do if the campaign began now. */
  obligation: Obligation;
}

/** A person of the platform who has no user in the quiz account. */
export interface PersonWithoutUser {
  personId: string;
  name: string;
}
