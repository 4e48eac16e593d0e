import { randomUUID } from 'node:crypto';
import { UniqueConstraintViolationException } from '@mikro-orm/core';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../time/clock.js';
import { hashPassword } from './password.js';
import { User } from './user.entity.js';

@Injectable()
export class Users {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /** `null` when the e-mail address is taken. */
  async create({
    email,
    password,
    timeZone,
  }: {
    email: string;
    password: string;
    timeZone: string;
  }): Promise<User | null> {
    const user = this.em.create(User, {
      id: randomUUID(),
      email: email.trim().toLowerCase(),
      passwordHash: await hashPassword(password),
      timeZone,
      createdAt: this.clock.now(),
    });
    try {
      await this.em.persist(user).flush();
      return user;
    } catch (error) {
      if (error instanceof UniqueConstraintViolationException) return null;
      throw error;
    }
  }

  findByEmail(email: string): Promise<User | null> {
    return this.em.findOne(User, { email: email.trim().toLowerCase() });
  }
}
