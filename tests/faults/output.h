/* What a scenario prints, kept in files beside in/ and out/, since it may be killed. */
#ifndef ORO_TESTS_FAULTS_OUTPUT_H
#define ORO_TESTS_FAULTS_OUTPUT_H

enum { FAULTS_LOG_MAX = 1 << 14 };

/* From here on, standard output and standard error of this process go to empty files. */
void faults_output_begin(void);
/* Reads what has gone to them since. */
void faults_output_read(void);
extern char faults_printed[FAULTS_LOG_MAX], faults_complained[FAULTS_LOG_MAX];

#endif
