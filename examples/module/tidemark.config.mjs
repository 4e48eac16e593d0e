import { defineConfig } from 'tidemark';
import { accountNotes } from 'tidemark-account-notes';

export default defineConfig({ modules: [accountNotes] });
