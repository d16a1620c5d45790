/** Every sample on the page; the quick tests show one of them. */
import { pageTest, SAMPLES, showsAndConverts, usePage } from "./page.ts";

usePage();

for (const names of SAMPLES) {
  pageTest(
    `page shows ${
      names[0]
    } in every mode and gives the command line's bytes when it is dropped`,
    (page) => showsAndConverts(page, names),
  );
}
