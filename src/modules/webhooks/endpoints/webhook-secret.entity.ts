import { IdColumn, MomentColumn, TextColumn, UserRow, UserTable } from '../../../kit.js';

/** A secret that signs the messages to an endpoint. During a rotation two are valid. */
@UserTable('webhook_secrets')
export class WebhookSecret extends UserRow<'webhook_secrets'> {
  @IdColumn()
  endpointId: string;

  /** Sealed by the credential vault. */
  @TextColumn({ hidden: true })
  credential: string;

  @MomentColumn()
  createdAt: Date;

  /** `null`: it is the newest. */
  @MomentColumn({ nullable: true })
  expiresAt: Date | null;
}
