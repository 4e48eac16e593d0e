/** A backup cannot be written, read or restored, for a reason that a person can remove. The message is one sentence. */
export class BackupRefusal extends Error {
  override readonly name = 'BackupRefusal';
}
