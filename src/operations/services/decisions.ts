import type { ApprovalRequest, ChangePreview } from '../../domain/approval-request.ts';

/** What a person sees who opens a request. */
export type Review =
  | { kind: 'review'; request: ApprovalRequest; preview: ChangePreview; changes: readonly string[] }
  /** The target is gone, or the change cannot be made for another reason: the request can only be denied. */
  | { kind: 'gone'; request: ApprovalRequest; message: string }
  /** The requester’s own, which they can withdraw. */
  | { kind: 'own'; request: ApprovalRequest }
  /** Decided already. */
  | { kind: 'over'; request: ApprovalRequest }
  | { kind: 'refused'; message: string };

export type Decided =
  /** The decision counted; the request says what came of it. */
  | { kind: 'decided'; request: ApprovalRequest }
  /** The target is not as it was shown: nothing was decided, and this is how it is now. */
  | { kind: 'changed'; review: Review }
  | { kind: 'over'; request: ApprovalRequest }
  | { kind: 'refused'; message: string };

/** What one person does with requests for approval, each named by its ID. What there is to record is recorded. */
export interface Decisions {
  /** @throws QuizApiError if the service cannot be asked */
  review(id: string): Promise<Review>;
  /**
   * Decides once, however many people decide at the same time on any instance. A decision counts only for what the person was
   * shown. @throws QuizApiError likewise
   */
  decide(id: string, verdict: 'approved' | 'denied', comment: string): Promise<Decided>;
  withdraw(id: string): Promise<Decided>;
}
