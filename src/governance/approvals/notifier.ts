import type { NewPassword } from '../../operations/operation-result.ts';
import type { ApprovalRequest } from '../../domain/approval-request.ts';

export interface Post {
  channel: string;
  ts: string;
}

/** How people hear of requests. Whatever it does may be asked of it again after a crash. */
export interface Notifier {
  /** Shows a new request to those who can decide on it. `trouble` is what the requester should know of that. */
  post(request: ApprovalRequest): Promise<{ posts: Post[]; trouble?: string }>;
  tellTrouble(request: ApprovalRequest, trouble: string): Promise<void>;
  /** What an earlier run has posted of the request, where its answer was lost. */
  findPosts(request: ApprovalRequest): Promise<Post[]>;
  /** Makes a message show the request as it is now. */
  update(request: ApprovalRequest, post: Post): Promise<void>;
  remind(request: ApprovalRequest): Promise<void>;
  /** Tells the requester how it stands. `stage` goes with the message, so that it can be found again. */
  tell(request: ApprovalRequest, stage: string): Promise<void>;
  wasTold(request: ApprovalRequest, stage: string): Promise<boolean>;
  /** Shows the requester a new password, once, where it is not kept. */
  postEphemeralPassword(request: ApprovalRequest, password: NewPassword): Promise<void>;
}
