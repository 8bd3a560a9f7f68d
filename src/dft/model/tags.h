// SPDX-License-Identifier: Apache-2.0
// Every known INCAR tag and what Parseval makes of it.
#ifndef PV_DFT_TAGS_H
#define PV_DFT_TAGS_H

typedef enum pv_tag_class {
    PV_TAG_READ,               // acted on
    PV_TAG_HARMLESS,           // ignored: converged results stay as they are; `note` says what is lost
    PV_TAG_PHYSICS             // would change the results, or ask for another calculation: refused unless it is off
} pv_tag_class;

typedef struct pv_tag {
    const char *name;          // a * at the end stands for any rest
    pv_tag_class class;
    const char *off;           // values that mean "off", such as "F" or "0|-1"; HARMLESS: that say what is done here
    const char *note;          // "what it sets", a part of a sentence
} pv_tag;

// NULL when the tag is not known.
const pv_tag *pv_tag_find(const char *name);
// The known tag with the fewest letters changed; NULL when none is near.
const char *pv_tag_nearest(const char *name);
// Whether a value is one of tag->off, as a number, a logical or a word.
int pv_tag_is_off(const pv_tag *tag, const char *value);

#endif
