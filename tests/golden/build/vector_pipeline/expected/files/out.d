out/manifest.json: \
  prog.json \
  kernels/add.cpp \
  kernels/vector.h \
  kernels/scale.cpp \
  kernels/mul.cpp

prog.json:

kernels/add.cpp:

kernels/vector.h:

kernels/scale.cpp:

kernels/mul.cpp:
