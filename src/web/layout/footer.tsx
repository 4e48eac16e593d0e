import { VERSION } from '../../config/version.js';
import { usePageContext } from '../components/page-context.js';

/** Version, licence and source, which section 13 of the AGPL requires for every user of the service. */
export function Footer() {
  const { sourceUrl } = usePageContext();
  return (
    <footer class="foot">
      <span>Tidemark {VERSION}</span>
      <a href="/license" rel="license">
        AGPL-3.0
      </a>
      {sourceUrl && (
        <a href={sourceUrl} rel="noreferrer">
          Source code
        </a>
      )}
    </footer>
  );
}
