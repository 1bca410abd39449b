/* The packets between the program and the guest that tries kernels. */
#ifndef ORO_GPU_TRIAL_WORDS_H
#define ORO_GPU_TRIAL_WORDS_H

enum {
    ORO_TRIAL_OPEN = 1, /* to the guest: the names of the candidate and of the renderer */
    ORO_TRIAL_READY,
    ORO_TRIAL_KERNEL, /* to the guest: a text, whether its program is wanted */
    ORO_TRIAL_RUN,    /* to the guest: a text, groups, constants, the buffers written, their sizes; with the
                         buffers, one after the other, as a file */
    ORO_TRIAL_DONE, /* of a kernel that was tried: whether it compiles, what the driver says of it if it does
                       not, the format and the bytes of its program, as far as there are these */
};

#endif
