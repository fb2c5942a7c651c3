/** A pack of evidence that a person gets every month. People are named by their IDs on the platform. */
export interface EvidenceOrder {
  id: string;
  /** Who ordered it. */
  by: string;
  /** Who gets it. */
  to: string;
  toName: string;
  /** Null: all campaigns that both see. */
  campaign: { id: string; quizName: string } | null;
  /** Of the person who gets it: their months. */
  timeZone: string;
  /** In milliseconds since the epoch. */
  orderedAt: number;
  /** What the next pack is about. */
  month: Month;
}

/** Months since the year 0: 24361 is February 2030. */
export type Month = number;

/** What people do with these orders. */
export type EvidenceEvent = { kind: 'order'; order: EvidenceOrder } | { kind: 'stop'; id: string };

/**
 * Why there is no pack for a month: nothing ran in it, the one campaign is over, a person may not see it any more, or nothing
 * reaches the person who gets it.
 */
export type NoEvidence = 'nothing ran' | 'over' | 'orderer' | 'receiver' | 'unreachable';
