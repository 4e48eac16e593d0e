import { EntityName, PrimaryKeyProp } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

/** A secret that signs the messages to an endpoint. During a rotation two are valid. */
@Entity({ tableName: 'webhook_secrets' })
export class WebhookSecret {
  [EntityName]?: 'webhook_secrets';
  [PrimaryKeyProp]?: ['userId', 'id'];

  @PrimaryKey({ type: 'uuid' })
  userId: string;

  @PrimaryKey({ type: 'uuid' })
  id: string;

  @Property({ type: 'uuid' })
  endpointId: string;

  /** Sealed by the credential vault. */
  @Property({ type: 'text', hidden: true })
  credential: string;

  @Property({ type: 'datetime' })
  createdAt: Date;

  /** `null`: it is the newest. */
  @Property({ type: 'datetime', nullable: true })
  expiresAt: Date | null;
}
